import { applyPatch } from './apply-patch.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash.ts';
import { codeReview } from './code-review.ts';
import { codeSearch } from './code-search.ts';
import { createFile } from './create-file.ts';
import { describePullRequest } from './describe-pull-request.ts';
import { editFile } from './edit-file.ts';
import { finder } from './finder.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { multiRead } from './multi-read.ts';
import { read } from './read.ts';
import { reportFindings } from './report-findings.ts';
import { setLabels } from './set-labels.ts';
import { task } from './task.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { toolSearch } from './tool-search.ts';
import { useTool } from './use-tool.ts';

/**
 * The tools that a first request may tell of, in the order it does, which never changes during a run. Of these the first call finds
 * some at hand (`first-tools.ts`); the rest are loaded with the first call of one, and all others with the first that asks for one.
 */
export const advertisedTools: readonly Tool[] = [
  read,
  multiRead,
  glob,
  grep,
  codeSearch,
  finder,
  bash,
  editFile,
  createFile,
  applyPatch,
  todoWrite,
  askUser,
  task,
  codeReview,
  reportFindings,
  describePullRequest,
  setLabels,
  toolSearch,
  useTool,
];
