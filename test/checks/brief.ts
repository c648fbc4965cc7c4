import type { Finding } from '../../src/contract/findings.ts';

/** `path:3-5 high Title`, for comparing lists of findings at a glance. */
export function brief(findings: readonly Finding[]): string[] {
  return findings.map(({ path, start_line: start, line, severity, title }) => {
    const lines = start === undefined ? `${line}` : `${start}-${line}`;
    return `${path}:${lines} ${severity} ${title}`;
  });
}
