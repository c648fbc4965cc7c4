// Preloaded into a measured process. Reports its peak resident memory in KiB and, at the requests
// numbered by BENCH_HEAP_AT (`100,500`), the live heap in KiB after garbage collection.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { BENCH_MEMORY_FILE: file, BENCH_HEAP_AT: at = '' } = process.env;
const wanted = at.split(',').filter(Boolean).map(Number);
const heaps = [];
if (wanted.length > 0) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  let requests = 0;
  subscribe('http.client.request.start', () => {
    requests += 1;
    if (!wanted.includes(requests)) return;
    collect();
    heaps.push(process.memoryUsage().heapUsed / 1024);
  });
}
if (file) {
  process.on('exit', () =>
    writeFileSync(file, JSON.stringify({ peak: process.resourceUsage().maxRSS, heaps })),
  );
}
