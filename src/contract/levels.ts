import * as z from 'zod';

/** Reach of a tool call, from harmless to needing a person. Every tool declares one. */
export const Level = z.enum([
  'auto_read',
  'external_read',
  'state_write',
  'confirm_execute',
  'confirm_write',
  'delegated',
  'interactive',
]);
export type Level = z.infer<typeof Level>;

/** The permission presets, from the loosest to the strictest. */
export const Preset = z.enum(['unrestricted', 'careful', 'strict']);
export type Preset = z.infer<typeof Preset>;

/**
 * Returns the preset that a word names; `yolo` is `unrestricted`. Unknown words give `strict`, so
 * that a typo never permits more.
 */
export function presetFrom(word: string): Preset {
  if (word === 'yolo') return 'unrestricted';
  const preset = Preset.safeParse(word);
  return preset.success ? preset.data : 'strict';
}

/** Use of the operating system's sandbox for commands. */
export const SandboxMode = z.enum(['required', 'preferred', 'off']);
export type SandboxMode = z.infer<typeof SandboxMode>;

/** Verdict of a rule or the gate on a call. */
export const Action = z.enum(['allow', 'ask', 'reject']);
export type Action = z.infer<typeof Action>;
