import * as z from 'zod';

/** A language server of one's own, or what is changed of a known one. */
const LanguageServer = z.strictObject({
  /** The program, by name, by its path in the checkout or an absolute one, and its arguments. */
  command: z.array(z.string().min(1).max(1_000)).min(1).max(50).optional(),
  /** What the protocol calls the language of files, by the end of their names: `{".vue": "vue"}`. */
  languages: z
    .record(
      z.string().regex(/^\.?[^/\\\s]{1,50}$/, 'an ending such as .vue, or a whole name'),
      z.string().min(1).max(50),
    )
    .optional(),
  /** Files that show where a project begins. */
  rootMarkers: z
    .array(z.string().regex(/^[^/\\]{1,100}$/, 'the name of a file'))
    .max(20)
    .optional(),
  /** What the server is answered when it asks for its configuration. */
  settings: z.record(z.string(), z.json()).optional(),
  initializationOptions: z.json().optional(),
  /** Variables as they are; never credentials, as the checkout's code may read them. */
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, 'the name of a variable'), z.string().max(1_000))
    .optional(),
});

/** Language servers: which there are, and how long they stay. */
export const LanguageSettings = z.strictObject({
  /** By name; `false` for a known one that is not to be used. */
  servers: z
    .record(
      z.string().regex(/^[\w.-]{1,60}$/, 'the name of a server'),
      z.union([z.literal(false), LanguageServer]),
    )
    .optional(),
  /** Whether servers that are installed are found by themselves; left out, they are. */
  detect: z.boolean().optional(),
  /** Whether servers that code of the checkout can have run programs start for forks too. */
  forks: z.boolean().optional(),
  /** Seconds without a call after which a server is stopped. */
  idleSeconds: z.int().positive().max(86_400).optional(),
  /** Seconds that a server has to come up. */
  startSeconds: z.int().positive().max(600).optional(),
});
export type LanguageSettings = z.infer<typeof LanguageSettings>;
