import * as z from 'zod';
import { Hooks } from '../contract/hooks.ts';
import { SandboxMode } from '../contract/levels.ts';
import { toolProfileNames } from '../contract/profile-names.ts';
import { Rule } from '../contract/rules.ts';
import { labelVerbs } from '../contract/verbs.ts';
import {
  A2aSettings,
  Host,
  LanguageSettings,
  McpSettings,
  PluginSettings,
  WebSettings,
} from './extension-settings.ts';
import { ContextSettings, ProviderSettings } from './model-settings.ts';
import {
  AgentCommitSettings,
  BranchSettings,
  CommitSettings,
  HandoffSettings,
  PullRequestSettings,
} from './outlet-settings.ts';
import { presetProblem } from './preset-names.ts';
import { ProfilesSettings, RunSkillSettings } from './profile-settings.ts';
import { QuestionSettings, ReviewSettings } from './review-settings.ts';

/**
 * A checkout beside the workspace: its path, absolute or relative to the workspace's root, and a
 * name for people.
 */
const Repository = z.union([
  z.string().min(1),
  z.strictObject({
    name: z
      .string()
      .regex(/^[\w.@/-]{1,100}$/, 'a name has letters, digits and _ . @ / - only')
      .optional(),
    path: z.string().min(1),
  }),
]);

/** A path or glob from the root that does not lead out of it. */
const Below = z
  .string()
  .min(1)
  .max(200)
  .regex(
    /^(?!\/|~\/?$|(?:.*\/)?\.\.?(?:\/|$)|(?:.*\/)?\.git(?:\/|$)|!)/,
    'a path below the root, without .. or .git',
  );

/** Installs dependencies before the run, by commands in a sandbox that reaches only registries. */
const Setup = z.strictObject({
  commands: z.array(z.string().min(1).max(4_000)).min(1).max(20),
  /** Hosts that may be reached. Default: those of the package managers that the commands call. */
  registries: z.array(Host).max(50).optional(),
  /** Lets packages run their own programs during the installation. */
  scripts: z.boolean().optional(),
  /**
   * Globs of the folders that are stored and mounted for the run; `~/` is the home of the commands.
   */
  cache: z.array(Below).max(50).optional(),
  /** Globs of the files whose content determines whether stored results are still valid. */
  lockfiles: z.array(Below).max(50).optional(),
  timeoutSeconds: z.int().positive().max(3_600).optional(),
});

/** Verbs that a label may start. They need no text and decide on nothing. */
const LabelVerb = z.enum(labelVerbs);

/**
 * The whole configuration file. Every key is optional; `defaults.ts` has the defaults. An unknown
 * key is an error (strict objects): a misspelt safety setting is never silently ignored.
 */
export const Config = z.strictObject({
  model: z.string().optional(),
  providers: z.record(z.string(), ProviderSettings).optional(),
  models: z
    .strictObject({
      /**
       * The models that comments may choose with `model=NAME`, and calls for their children,
       * besides `model` itself.
       */
      allow: z.array(z.string().min(1)).max(50).optional(),
      /** Models that take over in this order, for the rest of the run. */
      fallback: z.array(z.string().min(1)).max(10).optional(),
      /** Maximum seconds of one request, and of silence within it. */
      requestTimeoutSeconds: z.int().positive().max(21_600).optional(),
      idleTimeoutSeconds: z.int().positive().max(3_600).optional(),
    })
    .optional(),
  profile: z.string().optional(),
  /** New profiles, and changes to built-in ones. */
  profiles: ProfilesSettings.optional(),
  context: ContextSettings.optional(),
  permissions: z
    .strictObject({
      preset: z
        .string()
        .check((context) => {
          const problem = presetProblem(context.value);
          if (problem !== null)
            context.issues.push({ code: 'custom', input: context.value, message: problem });
        })
        .optional(),
      /** Handling of a call that needs approval: refused, or put up in a comment. */
      onAsk: z.enum(['deny', 'comment']).optional(),
      rules: z.array(Rule).max(500).optional(),
    })
    .optional(),
  /**
   * Other branches whose configuration, instructions and programs apply to runs on pull requests
   * into them. Counts in the default branch's file alone.
   */
  trustedBranches: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^[^\s*]+\*?$/, 'the name of a branch, or its beginning with * at the end'),
    )
    .max(50)
    .optional(),
  /** Programs that run before calls, or that receive their results. */
  hooks: Hooks.optional(),
  env: z
    .strictObject({
      /**
       * Variables of ours that one hook (`hook:<name>`) or program of a rule (`delegate:<program>`)
       * is given.
       */
      pass: z
        .record(
          z
            .string()
            .regex(/^[\w.:@/-]{1,100}$/, 'the name of one program, as hook:lint or delegate:ci/guard.sh'),
          z.array(z.string().regex(/^[A-Za-z_]\w*$/, 'the name of a variable')).max(50),
        )
        .optional(),
    })
    .optional(),
  protected: z.strictObject({ allow: z.array(z.string()).optional() }).optional(),
  sandbox: SandboxMode.optional(),
  setup: z.union([z.string().min(1).max(4_000), Setup]).optional(),
  network: z
    .strictObject({
      /** Registries that may have a private address. In the App only its operator can name them. */
      privateRegistries: z.array(Host).max(20).optional(),
      /**
       * Hosts for one toolbox program, server or plug-in (`toolbox:<name>`, `mcp:<name>`,
       * `plugin:<name>`): `localhost:5432`, `api.example.com`. In the App only its operator can
       * name them.
       */
      programs: z
        .record(
          z
            .string()
            .regex(
              /^(?:toolbox|mcp|plugin):[A-Za-z0-9_-]{1,60}$/,
              'the name of one program, as toolbox:db-query or mcp:github',
            ),
          z.array(Host).max(20),
        )
        .optional(),
    })
    .optional(),
  tools: z
    .strictObject({
      disabled: z.array(z.string()).optional(),
      /** Amount of tools and definitions: `coding` (default), `full`, `standard`, `ds4`, `none`. */
      profile: z.enum(toolProfileNames).optional(),
      /** Checks a changed file at once and returns the problems with the edit. */
      verifyEdits: z.boolean().optional(),
      /** Runs the repository's formatter over a changed file before it is written. */
      formatOnEdit: z.boolean().optional(),
      /**
       * Folders of toolbox programs, the first of which wins; a path from the root is the base
       * branch's.
       */
      toolboxDirs: z.array(z.string().min(1).max(1_000)).max(20).optional(),
      /** Seconds for loading external tools, and for each of their calls without its own limit. */
      externalTimeout: z.int().positive().max(1_800).optional(),
      /** Access to the web, and its hosts. In the App only its operator can open it. */
      web: WebSettings.optional(),
      /**
       * Search by meaning: the embedding model as `provider/name`, of a provider with OpenAI's
       * protocol.
       */
      semanticSearch: z
        .strictObject({ model: z.string().regex(/^[^/\s]+\/\S+$/, 'provider/name') })
        .optional(),
    })
    .optional(),
  /** Programs that run beside a run and have tools for it. */
  plugins: PluginSettings.optional(),
  /** Agents elsewhere, which speak the Agent2Agent protocol. */
  a2a: A2aSettings.optional(),
  /** Servers of the Model Context Protocol. */
  mcp: McpSettings.optional(),
  /** Language servers, which know the types and names of code. */
  lsp: LanguageSettings.optional(),
  skills: RunSkillSettings.optional(),
  limits: z
    .strictObject({
      maxTurns: z.int().positive().optional(),
      maxToolCalls: z.int().positive().optional(),
      maxTokens: z.int().positive().optional(),
      maxCostUsd: z.number().positive().optional(),
      timeoutSeconds: z.int().positive().optional(),
    })
    .optional(),
  triggers: z
    .strictObject({
      /** The word people mention, without the `@`. */
      mention: z.string().optional(),
      /** Bot accounts by exact login that may start runs. */
      allowBots: z.array(z.string()).optional(),
      /** Reply to an actor without permission. */
      onRefusal: z.enum(['silent', 'reaction', 'comment']).optional(),
      /** The label that starts an implementation, or a verb for each of several labels. */
      label: z.union([z.string(), z.record(z.string().min(1), LabelVerb)]).optional(),
      /** Failed builds that are repaired: none, those of our own pull requests, or all. */
      failedBuild: z.enum(['off', 'own', 'all']).optional(),
      /**
       * Accounts of people that represent the bot: issues assigned to them are implemented, and
       * requested reviews are done.
       */
      accounts: z.array(z.string().min(1)).max(20).optional(),
    })
    .optional(),
  review: ReviewSettings.optional(),
  describe: z
    .strictObject({
      /** Lets `describe` write the title too. */
      title: z.boolean().optional(),
      /** Position of its part in the description. */
      place: z.enum(['above', 'below']).optional(),
    })
    .optional(),
  triage: z
    .strictObject({
      /** The only labels that `triage` sets. Default: all of the repository. */
      labels: z.array(z.string().min(1)).max(300).optional(),
      maxLabels: z.int().positive().max(10).optional(),
    })
    .optional(),
  workspace: z
    .strictObject({
      /** Folder of the checkout that a run works in. Default: its root. */
      directory: Below.optional(),
      /** Other checkouts on the machine, which a run may read. */
      repos: z.array(Repository).max(20).optional(),
    })
    .optional(),
  report: z
    .strictObject({
      /**
       * Place of a run's end on its thread: the progress comment, which notifies no one, or a new
       * comment.
       */
      notify: z.enum(['edit', 'comment']).optional(),
      /** Adds a comment with boxes to stop and retry a run. Default: for runs of some minutes. */
      controls: z.boolean().optional(),
      /** Days that the App's link to a run's report holds; 0 for no link. */
      linkDays: z.int().min(0).max(90).optional(),
      /** Shows runs on the commit. Default: true in the App if permitted, false in a workflow. */
      checkRun: z.boolean().optional(),
      /** Hosts that reports may link to: `docs.example.com`, `*.example.com`. */
      links: z
        .array(z.string().regex(/^(?:\*\.)?[A-Za-z0-9.-]+(?::\d+)?$/, 'a host, without a scheme or path'))
        .optional(),
    })
    .optional(),
  /** Limits of the record of a run, and of the records in the checkout, for local runs. */
  records: z
    .strictObject({
      days: z.int().positive().max(3_650).optional(),
      megabytes: z.int().positive().optional(),
      ledgerMegabytes: z.int().positive().max(1_000).optional(),
    })
    .optional(),
  commit: CommitSettings.optional(),
  agentCommits: AgentCommitSettings.optional(),
  pullRequest: PullRequestSettings.optional(),
  handoff: HandoffSettings.optional(),
  question: QuestionSettings.optional(),
  branch: BranchSettings.optional(),
});
export type Config = z.infer<typeof Config>;
