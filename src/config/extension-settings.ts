import * as z from 'zod';

/** Form of an entry of an allow-list: a host, or `*.` and a domain, with an optional port. */
export const hostPattern = /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[1-9]\d{0,4})?$/;

/** A host, `*.example.com` for every name below it. */
export const Host = z.string().regex(hostPattern, 'a host, perhaps with a port, without a scheme or path');

/** A host of the web: the same, or `*` for all. */
export const WebHost = z
  .string()
  .regex(
    new RegExp(`^(?:\\*|${hostPattern.source.slice(1, -1)})$`),
    'a host, perhaps with a port, without a scheme or path, or *',
  );

/**
 * Headers of each request, by name (RFC 9110, 5.1); `{env:NAME}` stands for a variable that
 * `env.pass` gives to the recipient.
 */
export const HeaderSettings = z.record(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header'),
  z.string().max(8_000),
);

/** An agent elsewhere that speaks A2A. */
const Agent = z.strictObject({
  /** URL of its card, or of the host with the card at `/.well-known/agent-card.json`. */
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  /**
   * Sent with each request; `{env:NAME}` stands for a variable that `env.pass` gives the agent
   * (`a2a:<name>`).
   */
  headers: HeaderSettings.optional(),
  /**
   * True: it may have a private address, as one on this machine or in the operator's network has.
   */
  privateAddress: z.boolean().optional(),
});

/** Agents that a run may call, and hosts on which it may find others. */
export const A2aSettings = z.strictObject({
  agents: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'the name of an agent: small letters, digits, - and _'),
      Agent,
    )
    .optional(),
  /** Hosts whose agents may be called by their URL: `agents.example.com`, `*.example.com`. */
  allow: z.array(Host).max(50).optional(),
});

/** An agent, and whether the operator of this machine wrote it. */
export type A2aAgent = z.infer<typeof Agent> & { readonly by?: 'operator' };

/** A new language server, or changes to a known one. */
const LanguageServer = z.strictObject({
  /**
   * The program, by name, by its path in the checkout or by an absolute path, and its arguments.
   */
  command: z.array(z.string().min(1).max(1_000)).min(1).max(50).optional(),
  /** The protocol's language of files, by the end of their names: `{".vue": "vue"}`. */
  languages: z
    .record(
      z.string().regex(/^\.?[^/\\\s]{1,50}$/, 'a file extension such as .vue, or a whole file name'),
      z.string().min(1).max(50),
    )
    .optional(),
  /** Files that mark the root of a project. */
  rootMarkers: z
    .array(z.string().regex(/^[^/\\]{1,100}$/, 'the name of a file'))
    .max(20)
    .optional(),
  /** Answer to the server's request for its configuration. */
  settings: z.record(z.string(), z.json()).optional(),
  initializationOptions: z.json().optional(),
  /** Variables without expansion; never credentials, because code of the checkout may read them. */
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
  /** Finds installed servers automatically. Default: true. */
  detect: z.boolean().optional(),
  /** For forks too, starts servers that can run programs for code of the checkout. */
  forks: z.boolean().optional(),
  /** Seconds without a call after which a server is stopped. */
  idleSeconds: z.int().positive().max(86_400).optional(),
  /** Seconds that a server has to come up. */
  startSeconds: z.int().positive().max(600).optional(),
});
export type LanguageSettings = z.infer<typeof LanguageSettings>;

/**
 * Two underscores divide the parts of a tool's name, `mcp__<server>__<tool>`: rules must be able to
 * tell them apart.
 */
const ServerName = z
  .string()
  .max(40)
  .regex(
    /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/,
    'a name of letters, digits, - and single _ between them, as my-server',
  );

const Text = z.string().max(8_000);
const Names = z.array(z.string().min(1).max(200)).max(200);

/** Settings of every server, besides its transport. */
const common = {
  /** False excludes it. */
  enabled: z.boolean().optional(),
  /** Allowed and denied tools, by the server's names or globs. Denied wins. */
  tools: z.strictObject({ allow: Names.optional(), deny: Names.optional() }).optional(),
  /** True if its own claims (`readOnlyHint`) decide on the level of its tools. */
  trustAnnotations: z.boolean().optional(),
  /** Seconds for each call. Default: `tools.externalTimeout`. */
  timeoutSeconds: z.int().positive().max(1_800).optional(),
};

/** A program that is talked to over its standard input and output. */
const StdioServerSettings = z.strictObject({
  ...common,
  type: z.literal('stdio').optional(),
  command: z.string().min(1).max(1_000),
  args: z.array(Text).max(100).optional(),
  /** Its variables; `{env:NAME}` stands for one that `env.pass` gives it. */
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'the name of a variable'), Text).optional(),
  /**
   * True: its sandbox shows the workspace for reading only, and without a network its tools count
   * as reading.
   */
  readOnly: z.boolean().optional(),
});

/** A server that is reached over streamable HTTP. */
const HttpServerSettings = z.strictObject({
  ...common,
  type: z.enum(['http', 'streamable-http']).optional(),
  url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^\s/]/, 'an address that begins with https:// or http://'),
  /**
   * Sent with each request; `{env:NAME}` stands for a variable that `env.pass` gives the server.
   */
  headers: HeaderSettings.optional(),
  /**
   * True: it may have a private address, as one on this machine or in the operator's network has.
   */
  privateAddress: z.boolean().optional(),
});

/** `folder` is the base of relative paths, for one that the operator of this machine named. */
type Placed = { readonly folder?: string };
export type StdioServerSettings = z.infer<typeof StdioServerSettings> & Placed;
export type HttpServerSettings = z.infer<typeof HttpServerSettings> & Placed;

/** One server of the Model Context Protocol. */
export const McpServerSettings = z.union([StdioServerSettings, HttpServerSettings]);
export type McpServerSettings = StdioServerSettings | HttpServerSettings;

/** Servers of the Model Context Protocol, and whether those of `.mcp.json` count. */
export const McpSettings = z.strictObject({
  servers: z.record(ServerName, McpServerSettings).optional(),
  /** Servers of the base branch's `.mcp.json` to start: all, or those of these names or globs. */
  workspace: z.union([z.boolean(), Names]).optional(),
});

const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,29}$/, 'the name of a plug-in: small letters, digits and -, up to 30 of them');

/** A path of a file or folder relative to the base folder: neither absolute nor upwards. */
const Below = z
  .string()
  .max(1_000)
  .regex(/^(?![/~])(?!(?:.*\/)?\.\.(?:\/|$))[^\0]+$/, 'a relative path without ..');

/** A program that runs beside a run and has tools for it. */
const PluginFields = z.strictObject({
  /**
   * The program and its arguments. A word with a slash is a file of the base branch, and all files
   * next to and below it are included.
   */
  command: z.array(z.string().min(1).max(1_000)).min(1).max(50),
  /** More files or folders that it needs. */
  files: z.array(Below).max(20).optional(),
  /**
   * True: its sandbox mounts the workspace read-only, and its tools declared as reading count as
   * such.
   */
  readOnly: z.boolean().optional(),
});

/** Plug-ins by name. */
export const PluginSettings = z.record(Name, PluginFields);

/**
 * One plug-in; `folder` is the base of relative paths, for one that the operator of this machine
 * wrote.
 */
export type Plugin = z.infer<typeof PluginFields> & { readonly folder?: string };

/** Access to the web. True allows only searches, with the backend whose key is set. */
export const WebSettings = z.union([
  z.boolean(),
  z.strictObject({
    /** Hosts of pages and files that may be read. Default: none, only searching. */
    allow: z.array(WebHost).max(200).optional(),
    /** The search backend. Default: the first of these whose key is set. */
    backend: z.enum(['exa', 'brave', 'tavily', 'searxng']).optional(),
    /** URL of the backend, if it is not the usual one. Only its operator can set it. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
  }),
]);
export type WebSettings = z.infer<typeof WebSettings>;
