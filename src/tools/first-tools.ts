import { bash } from './bash.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { multiRead } from './multi-read.ts';
import { read } from './read.ts';
import type { Tool } from './tool.ts';

/** What a run looks around with: at hand for its first call. */
export const firstTools: readonly Tool[] = [read, multiRead, glob, grep, bash];
