import { posix } from 'node:path';
import type { Finding } from '../contract/findings.ts';
import { type ChangedFile, nameOf } from './changed-file.ts';
import { isLockFile } from './lock-formats.ts';

/**
 * GitHub warns of files from 50 MiB on and refuses those of 100; what is reviewed is far smaller.
 */
const standardKilobytes = 1024;

/** Magic numbers of executable files. */
const programs: readonly { readonly magic: string; readonly what: string }[] = [
  { magic: '7f454c46', what: 'an ELF program or library' },
  { magic: '4d5a', what: 'a Windows program or library' },
  { magic: 'feedface', what: 'a Mach-O program' },
  { magic: 'feedfacf', what: 'a Mach-O program' },
  { magic: 'cefaedfe', what: 'a Mach-O program' },
  { magic: 'cffaedfe', what: 'a Mach-O program' },
  { magic: 'cafebabe', what: 'Java byte code or a Mach-O program' },
  { magic: '0061736d', what: 'a WebAssembly module' },
  { magic: '213c617263683e', what: 'a static library' },
];

/** Binary files that are meant to be seen or heard. */
const media =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|pdf|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|flac|mov|psd|ai|sketch)$/i;

/** Finds files that are large, cannot be reviewed, or lead out of the repository. */
export function findUnreviewable(
  file: ChangedFile,
  { maxKilobytes = standardKilobytes }: { readonly maxKilobytes?: number | undefined },
): Finding[] {
  if (file.kind === 'delete') return [];
  const found: Finding[] = [];
  const link = file.modes.after === '120000' && file.added.size > 0 ? leadsOut(file) : null;
  if (link !== null) found.push(finding(file, 'medium', 'A link that leads out of the repository', link));
  if (file.modes.after === '160000' && file.modes.before !== '160000') {
    const body = 'A submodule is code of another repository, which this diff does not show.';
    found.push(finding(file, 'low', 'A new submodule', body));
  }
  const limit = maxKilobytes * 1024;
  const { before, after } = file.bytes;
  if (after !== null && after > limit && (before === null || before <= limit) && !isLockFile(file.path)) {
    const grown = before === null ? '' : `; it was ${kilobytes(before)}`;
    const body = `This file has ${kilobytes(after)}${grown}. The limit is ${kilobytes(limit)} (review.checks.files.maxKilobytes).`;
    found.push(finding(file, 'medium', 'A large file', body));
  }
  const unread = file.binary === null ? null : unreadable(file, file.binary);
  // One word on a file is enough, unless it is a program.
  return unread === null || (found.length > 0 && unread.severity === 'low') ? found : [...found, unread];
}

function unreadable(file: ChangedFile, bytes: Buffer): Finding | null {
  const start = bytes.subarray(0, 8).toString('hex');
  const program = programs.find(({ magic }) => start.startsWith(magic));
  if (program !== undefined) {
    const body = `This is ${program.what}. Nobody can see in a review what it does.`;
    return finding(file, 'high', 'A compiled program', body);
  }
  if (media.test(file.path) || file.kind === 'rename') return null;
  const body = `The content of ${nameOf(file.path)} is not text, so the diff does not show what is in it.`;
  return finding(file, 'low', 'A binary file', body);
}

/** Describes a link that leads outside; null for any other. */
function leadsOut({ path, after }: ChangedFile): string | null {
  if (after === null) return null;
  const target = posix.join(posix.dirname(path), after);
  const outside = after.startsWith('/') || target === '..' || target.startsWith('../');
  return outside ? `The link points to ${JSON.stringify(after.slice(0, 200))}.` : null;
}

function finding(file: ChangedFile, severity: Finding['severity'], title: string, body: string): Finding {
  return {
    path: file.path,
    side: 'RIGHT',
    line: 1,
    severity,
    category: 'files',
    title,
    body,
    check: 'files',
  };
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024).toLocaleString('en-US')} KiB`;
}
