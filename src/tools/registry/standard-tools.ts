import { task } from '../children/task.ts';
import { codeSearch } from '../code/code-search.ts';
import { finder } from '../code/finder.ts';
import { createFile } from '../edit/create-file.ts';
import { editFile } from '../edit/edit-file.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { askUser } from '../people/ask-user.ts';
import { describePullRequest } from '../people/describe-pull-request.ts';
import { setLabels } from '../people/set-labels.ts';
import { codeReview } from '../review/code-review.ts';
import { reportFindings } from '../review/report-findings.ts';
import { glob } from '../search/glob.ts';
import { grep } from '../search/grep.ts';
import { multiRead } from '../search/multi-read.ts';
import { read } from '../search/read.ts';
import { bash } from '../shell/bash.ts';
import { todoWrite } from '../tasks/todo-write.ts';
import type { Tool } from '../tool.ts';
import { toolSearch } from './tool-search.ts';
import { useTool } from './use-tool.ts';

/**
 * The tools of a first request, in an order that never changes during a run. `start-tools.ts` has
 * those that are loaded at start. The others are loaded with the first call of one; deferred tools
 * with the first request for one.
 */
export const standardTools: readonly Tool[] = [
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
