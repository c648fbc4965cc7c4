import { agentAwait } from './agent-await.ts';
import { agentDelegate } from './agent-delegate.ts';
import { agentList } from './agent-list.ts';
import { applyPatch } from './apply-patch.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash.ts';
import { batch } from './batch.ts';
import { chart } from './chart.ts';
import { chatReadMessages } from './chat-read-messages.ts';
import { chatSearch } from './chat-search.ts';
import { closeAgent } from './close-agent.ts';
import { codeReview } from './code-review.ts';
import { codeSearch } from './code-search.ts';
import { compact } from './compact.ts';
import { createFile } from './create-file.ts';
import { createSkill } from './create-skill.ts';
import { describePullRequest } from './describe-pull-request.ts';
import { diceRoll } from './dice-roll.ts';
import { editFile } from './edit-file.ts';
import { findThread } from './find-thread.ts';
import { finder } from './finder.ts';
import { getContextRemaining } from './get-context-remaining.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { handoff } from './handoff.ts';
import { initExperiment } from './init-experiment.ts';
import { insertText } from './insert-text.ts';
import { listAgents } from './list-agents.ts';
import { listDirectory } from './list-directory.ts';
import { listSkills } from './list-skills.ts';
import { logExperiment } from './log-experiment.ts';
import { lookAt } from './look-at.ts';
import { multiEdit } from './multi-edit.ts';
import { multiRead } from './multi-read.ts';
import { oracle } from './oracle.ts';
import { patch } from './patch.ts';
import { proposePatch } from './propose-patch.ts';
import { read } from './read.ts';
import { readSkill } from './read-skill.ts';
import { readThread } from './read-thread.ts';
import { receiveMessages } from './receive-messages.ts';
import { render } from './render.ts';
import { repoSearch } from './repo-search.ts';
import { reportFindings } from './report-findings.ts';
import { requestPermissions } from './request-permissions.ts';
import { runExperiment } from './run-experiment.ts';
import { sendInput } from './send-input.ts';
import { sendMessage } from './send-message.ts';
import { setLabels } from './set-labels.ts';
import { shellSession } from './shell-session.ts';
import { skill } from './skill.ts';
import { skillList } from './skill-list.ts';
import { skillRead } from './skill-read.ts';
import { skillSearch } from './skill-search.ts';
import { spawnAgent } from './spawn-agent.ts';
import { subAgent } from './sub-agent.ts';
import { task } from './task.ts';
import { taskCoordinator } from './task-coordinator.ts';
import { taskList } from './task-list.ts';
import { taskReturn } from './task-return.ts';
import { todoRead } from './todo-read.ts';
import { todoWrite } from './todo-write.ts';
import type { Tool } from './tool.ts';
import { toolSearch } from './tool-search.ts';
import { useTool } from './use-tool.ts';
import { viewImage } from './view-image.ts';
import { waitAgent } from './wait-agent.ts';
import { workspaceApplyPatch } from './workspace-apply-patch.ts';
import { workspaceCommit } from './workspace-commit.ts';
import { workspaceFinish } from './workspace-finish.ts';
import { workspaceListFiles } from './workspace-list-files.ts';
import { workspaceReadFile } from './workspace-read-file.ts';
import { workspaceSearchFiles } from './workspace-search-files.ts';
import { workspaceWriteFile } from './workspace-write-file.ts';
import { worldinfoReadActivated } from './worldinfo-read-activated.ts';

/** Every tool that is built in, in the order they are advertised, which never changes during a run. */
export const builtinTools: readonly Tool[] = [
  read,
  multiRead,
  glob,
  grep,
  codeSearch,
  finder,
  listDirectory,
  repoSearch,
  bash,
  editFile,
  multiEdit,
  insertText,
  createFile,
  applyPatch,
  patch,
  proposePatch,
  todoRead,
  todoWrite,
  askUser,
  requestPermissions,
  handoff,
  task,
  codeReview,
  oracle,
  reportFindings,
  describePullRequest,
  setLabels,
  viewImage,
  lookAt,
  workspaceListFiles,
  workspaceSearchFiles,
  workspaceReadFile,
  workspaceWriteFile,
  workspaceApplyPatch,
  workspaceCommit,
  workspaceFinish,
  taskList,
  diceRoll,
  render,
  chart,
  shellSession,
  initExperiment,
  runExperiment,
  logExperiment,
  findThread,
  readThread,
  chatSearch,
  chatReadMessages,
  agentList,
  agentDelegate,
  agentAwait,
  taskReturn,
  subAgent,
  taskCoordinator,
  spawnAgent,
  sendInput,
  waitAgent,
  listAgents,
  closeAgent,
  sendMessage,
  receiveMessages,
  listSkills,
  skill,
  readSkill,
  createSkill,
  skillList,
  skillSearch,
  skillRead,
  worldinfoReadActivated,
  compact,
  getContextRemaining,
  batch,
  toolSearch,
  useTool,
];
