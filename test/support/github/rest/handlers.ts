import type { Handlers } from '../protocol/call.ts';
import { appHandlers } from './apps.ts';
import { artifactHandlers } from './artifacts.ts';
import { checkSuiteHandlers } from './check-suites.ts';
import { checkHandlers } from './checks.ts';
import { commentHandlers } from './comments.ts';
import { commitHandlers } from './commits.ts';
import { contentHandlers } from './contents.ts';
import { gitDataHandlers } from './git-data.ts';
import { issueHandlers } from './issues.ts';
import { jobHandlers } from './jobs.ts';
import { pullHandlers } from './pulls.ts';
import { reactionHandlers } from './reactions.ts';
import { repositoryHandlers } from './repositories.ts';
import { reviewHandlers } from './reviews.ts';
import { scanningHandlers } from './scanning.ts';

/** Every operation that the stand-in has built, by the description's operation id. */
export const handlers: Handlers = {
  ...appHandlers,
  ...repositoryHandlers,
  ...gitDataHandlers,
  ...commitHandlers,
  ...contentHandlers,
  ...pullHandlers,
  ...reviewHandlers,
  ...issueHandlers,
  ...commentHandlers,
  ...reactionHandlers,
  ...checkHandlers,
  ...checkSuiteHandlers,
  ...jobHandlers,
  ...artifactHandlers,
  ...scanningHandlers,
};
