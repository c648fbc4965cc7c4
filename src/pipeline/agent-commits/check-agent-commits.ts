import { effectiveConfig } from '../../config/effective-config.ts';
import { mergeConfig } from '../../config/merge-config.ts';
import type { Config } from '../../config/schema.ts';
import { ConfigError } from '../../contract/errors.ts';
import type { IncomingEvent } from '../../contract/event.ts';
import { isOutage } from '../../github/api-errors.ts';
import { createOctokit } from '../../github/create-octokit.ts';
import { setNamedCheck } from '../../reporting/check-run/named-check.ts';
import { readTrustedConfig } from '../../webhooks/authorize/read-config.ts';
import { stringAt } from '../../webhooks/triggers/payload-reader.ts';
import { reviewedPull } from '../../webhooks/triggers/reviewed-pull.ts';
import { type CheckRight, type GitHubContext, writerToken } from '../context/broker-context.ts';
import { decideApprovals, decideProvenance } from './decide-agent-commits.ts';
import { type PullAtHead, readAgentCommits, readApprovals } from './read-agent-commits.ts';
import { trustedSigners } from './trusted-signers.ts';

/**
 * Reports on the head of a pull request what `agentCommits` of the base branch demands. Does
 * nothing for other events and without the setting. Refusals by GitHub are logged. Throws only
 * while GitHub is down, so that the event is handled again.
 */
export async function checkAgentCommits(event: IncomingEvent, context: GitHubContext): Promise<void> {
  const pull = reviewedPull(event);
  if (pull === null) return;
  try {
    const settings = await readSettings(event, pull, context);
    if (settings === undefined) return;
    await reportChecks(pull, settings, context);
  } catch (error) {
    if (isOutage(error)) throw error;
    context.log.warn({ err: error, pull: pull.number }, 'The commits of runs could not be checked.');
  }
}

type Settings = NonNullable<Config['agentCommits']>;

async function readSettings(
  { payload }: IncomingEvent,
  { owner, repo: name }: PullAtHead,
  { github, host, overrides, operatorConfig }: GitHubContext,
): Promise<Settings | undefined> {
  const defaultBranch = stringAt(payload, 'repository', 'default_branch') ?? '';
  const baseBranch = stringAt(payload, 'pull_request', 'base', 'ref') ?? defaultBranch;
  try {
    const read = await readTrustedConfig(github.reader, { owner, name, defaultBranch, baseBranch }, host);
    return effectiveConfig(overrides, mergeConfig(read.config, operatorConfig)).config.agentCommits;
  } catch (error) {
    // Deciding on the event says so to whoever asked.
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

async function reportChecks(pull: PullAtHead, settings: Settings, context: GitHubContext): Promise<void> {
  const { attested = false, approvals: needed } = settings;
  if (!attested && needed === undefined) return;
  const right = await checkRightOf(context);
  if (right === null) {
    context.log.warn('`agentCommits` needs the permission `checks: write` or `statuses: write`.');
    return;
  }
  const { github, apiUrl, serverUrl, posting, staged, ownLogin, environment } = context;
  const octokit = createOctokit({ apiUrl, token: right.token, posting, staged });
  const ports = { octokit, kind: right.kind, ownLogin };
  const at = { owner: pull.owner, repo: pull.repo, sha: pull.head };
  const commits = await readAgentCommits(pull, github.reader);
  const repository = `${serverUrl}/${pull.owner}/${pull.repo}`;
  const trusted = await trustedSigners(settings, repository, environment);
  if (attested) await setNamedCheck(at, decideProvenance(commits, trusted), ports);
  if (needed === undefined) return;
  const isAsked = commits.commits.length > 0 || !commits.complete;
  const approvals = isAsked ? await readApprovals(pull, github.reader) : [];
  await setNamedCheck(at, decideApprovals(commits, approvals, { needed, trusted }), ports);
}

const checkRightOf = (context: GitHubContext): Promise<CheckRight> | CheckRight =>
  context.checkRight?.() ?? { kind: 'check', token: writerToken(context) };
