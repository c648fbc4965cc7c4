import * as core from '@actions/core';
import { logLine } from '../src/command-line/log-line.ts';

/** Output streams of a step; GitHub's runner reads commands from both. */
export interface StepStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Log of a step: only this writer adds commands for GitHub's runner or a terminal. */
export interface StepLog {
  /** Prints text of one or more lines. */
  readonly print: (text: string) => void;
  /** Prints the same on standard error. */
  readonly printError: (text: string) => void;
  /** Begins a group of lines that a reader can fold, and ends it. */
  readonly startGroup: (name: string) => void;
  readonly endGroup: () => void;
  /** Displays a notice at the job (GitHub Docs, "Workflow commands"). */
  readonly notice: (message: string) => void;
  readonly warning: (message: string) => void;
  /** Displays an error and fails the step. */
  readonly fail: (message: string) => void;
  /** Removes secrets from a text for another output of the step. */
  readonly redact: (text: string) => string;
}

/** Creates the only writer of a step. `redact` removes secrets from all output. */
export function createStepLog({ out, err }: StepStreams, redact: (text: string) => string): StepLog {
  const clean = (text: string) => safeLines(redact(text));
  return {
    print: (text) => out(`${clean(text)}\n`),
    printError: (text) => err(`${clean(text)}\n`),
    startGroup: (name) => core.startGroup(clean(name)),
    endGroup: () => core.endGroup(),
    notice: (message) => core.notice(clean(message)),
    warning: (message) => core.warning(clean(message)),
    fail: (message) => core.setFailed(clean(message)),
    redact,
  };
}

/** Removes commands from each line of a text, and the final line end. */
export function safeLines(text: string): string {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(logLine)
    .join('\n');
}
