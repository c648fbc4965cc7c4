import * as core from '@actions/core';
import { logLine } from '../src/command-line/log-line.ts';

/** The streams of a step, each with the same duty: GitHub's runner reads commands from both. */
export interface StepStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** All that a step prints: nothing in it is an order to GitHub's runner or to a terminal but what this writer adds. */
export interface StepLog {
  /** Prints text as it is, of one line or more. */
  readonly print: (text: string) => void;
  /** The same on standard error. */
  readonly printError: (text: string) => void;
  /** Shows a sentence beside the job (GitHub Docs, "Workflow commands"). */
  readonly notice: (message: string) => void;
  readonly warning: (message: string) => void;
  /** Shows why the step failed, and has it fail. */
  readonly fail: (message: string) => void;
}

/** Makes the one writer of a step. `redact` takes the secrets out of all that it prints. */
export function createStepLog({ out, err }: StepStreams, redact: (text: string) => string): StepLog {
  const clean = (text: string) => safeLines(redact(text));
  return {
    print: (text) => out(`${clean(text)}\n`),
    printError: (text) => err(`${clean(text)}\n`),
    notice: (message) => core.notice(clean(message)),
    warning: (message) => core.warning(clean(message)),
    fail: (message) => core.setFailed(clean(message)),
  };
}

/** Text with its lines, none of which is an order; without the line end behind the last one. */
export function safeLines(text: string): string {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(logLine)
    .join('\n');
}
