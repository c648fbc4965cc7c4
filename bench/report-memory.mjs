// Preloaded into a measured process: leaves its peak resident memory, in KiB, behind.
import { writeFileSync } from 'node:fs';

const { BENCH_MEMORY_FILE: file } = process.env;
if (file) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
