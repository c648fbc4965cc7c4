import { applyPatch } from './apply-patch.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash.ts';
import { batch } from './batch.ts';
import { codeReview } from './code-review.ts';
import { createFile } from './create-file.ts';
import { editFile } from './edit-file.ts';
import { finder } from './finder.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { handoff } from './handoff.ts';
import { multiRead } from './multi-read.ts';
import { proposePatch } from './propose-patch.ts';
import { read } from './read.ts';
import { reportFindings } from './report-findings.ts';
import { todoRead } from './todo-read.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { toolSearch } from './tool-search.ts';
import { useTool } from './use-tool.ts';

/** Every tool that is built in, in the order they are advertised, which never changes during a run. */
export const builtinTools: readonly Tool[] = [
  read,
  multiRead,
  glob,
  grep,
  finder,
  bash,
  editFile,
  createFile,
  applyPatch,
  proposePatch,
  todoRead,
  todoWrite,
  askUser,
  handoff,
  codeReview,
  reportFindings,
  batch,
  toolSearch,
  useTool,
];
