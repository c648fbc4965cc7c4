import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { posix } from 'node:path';
import { ToolError } from '../../contract/errors.ts';
import { unlessToolError } from '../../workspace/files/unless-tool-error.ts';
import type { CheckProgram, FoundProgram, Marker } from './check-program.ts';
import { checkPrograms } from './check-programs.ts';
import type { LinterLocations } from './edit-checks.ts';

/** More of a configuration file is not read, in bytes. */
const longestConfig = 256 * 1024;

const markerFiles: ReadonlySet<string> = new Set(
  checkPrograms.flatMap(({ configured }) => configured.map(({ file }) => file)),
);

/** True for a file whose change may make other programs apply, or other rules. */
export function isCheckConfiguration(path: string): boolean {
  return markerFiles.has(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * Finds the programs that apply to a file, in the table's order, without excluded ones. Starts no
 * process. Cached by kind of file and folder.
 */
export async function findPrograms(
  path: string,
  services: LinterLocations,
): Promise<readonly FoundProgram[]> {
  const { memory } = services.editChecks;
  const matching = checkPrograms.filter(({ files }) => files.test(path));
  if (matching.length === 0) return [];
  const folder = folderOf(path);
  const key = [folder, ...matching.map(({ name }) => name)].join('\0');
  let known = memory.programs.get(key);
  if (known === undefined) {
    known = Promise.all(matching.map((program) => locate(program, folder, services))).then((found) =>
      found.filter((one) => one !== null),
    );
    memory.programs.set(key, known);
  }
  return (await known).filter((one) => !memory.excluded.has(programKey(one)));
}

/** By what a program that hung or broke is known again: a monorepo may have several of a name. */
export const programKey = ({ program, executable, folder }: FoundProgram): string =>
  [program.name, executable, folder].join('\0');

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

/** A folder and all above it, up to the root. */
function upwards(folder: string): string[] {
  const folders = [folder];
  while (folders[0] !== undefined && folders[0] !== '') folders.unshift(folderOf(folders[0]));
  return folders.toReversed();
}

async function locate(
  program: CheckProgram,
  from: string,
  services: LinterLocations,
): Promise<FoundProgram | null> {
  const configured = program.configured.length === 0 ? { folder: '', text: null } : null;
  const config = configured ?? (await nearestConfig(program.configured, from, services));
  if (config === null) return null;
  const executable = await findExecutable(program, config.folder, services);
  return executable === null ? null : { program, executable, folder: config.folder, config: config.text };
}

async function nearestConfig(
  markers: readonly Marker[],
  from: string,
  services: LinterLocations,
): Promise<{ folder: string; text: string | null } | null> {
  for (const folder of upwards(from)) {
    const names = await markersIn(folder, services);
    for (const { file, contains } of markers) {
      if (!names.has(file)) continue;
      const text = await textOf(posix.join(folder, file), services);
      if (contains === undefined || (text !== null && contains.test(text))) return { folder, text };
    }
  }
  return null;
}

/** The configuration files of a folder, whichever program they are for: one look serves all. */
async function markersIn(folder: string, services: LinterLocations): Promise<ReadonlySet<string>> {
  const { markers } = services.editChecks.memory;
  let known = markers.get(folder);
  if (known === undefined) {
    known = services.workspace.files
      .list(folder)
      .then((entries) => new Set(entries.map(({ name }) => name).filter((name) => markerFiles.has(name))))
      .catch((error: unknown) => {
        if (!(error instanceof ToolError)) throw error;
        // A folder that the edit only makes.
        markers.delete(folder);
        return new Set<string>();
      });
    markers.set(folder, known);
  }
  return known;
}

async function textOf(path: string, { workspace }: LinterLocations): Promise<string | null> {
  return unlessToolError(async () =>
    (await workspace.files.read(path, longestConfig)).bytes.toString('utf8'),
  );
}

async function findExecutable(
  { inCheckout, onPath }: CheckProgram,
  from: string,
  { workspace, editChecks }: LinterLocations,
): Promise<string | null> {
  for (const folder of inCheckout.length === 0 ? [] : upwards(from)) {
    for (const program of inCheckout) {
      const path = posix.join(folder, program);
      const found = await unlessToolError(() => workspace.files.stat(path));
      if (found !== null) return posix.join(workspace.root, path);
    }
  }
  if (onPath === null) return null;
  for (const folder of editChecks.programFolders) {
    const found = await access(posix.join(folder, onPath), constants.X_OK).then(
      () => true,
      () => false,
    );
    // By name: in the sandbox it may lie elsewhere in PATH.
    if (found) return onPath;
  }
  return null;
}
