import { posix } from 'node:path';
import { append } from '../../contract/lists.ts';
import type { ActivatedInstructions } from '../../contract/run-history.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { wholeRepository } from './render-instructions.ts';
import type { ScopedInstructions } from './scoped-instructions.ts';

/**
 * The active instructions of a run and its children. Each keeps the text that it had when it was
 * activated.
 */
export interface InstructionLoader {
  /** Activated instructions, in order. */
  readonly activated: readonly ActivatedInstructions[];
  /**
   * Returns the instructions for the first turn: those of the whole repository, and of the files
   * that the run starts with. Read once.
   */
  start(): Promise<readonly ActivatedInstructions[]>;
  /**
   * All that holds for some files: of the folders they lie in, outer ones first, and by globs.
   * Paths from the root.
   */
  forPaths(paths: readonly string[]): Promise<readonly ActivatedInstructions[]>;
}

/** Input of an instruction book. */
export interface InstructionSource {
  /** Source of instructions, which the run cannot write. */
  readonly tree: TrustedTree;
  /** The files that are touched before the first turn: those of the pull request. */
  readonly startPaths: () => Promise<readonly string[]>;
  /** True for a review. */
  readonly reviews: boolean;
  /** Instructions that were active in the resumed session. */
  readonly before: readonly ActivatedInstructions[];
  readonly record: (activated: ActivatedInstructions) => void;
}

/** The names that instructions have in any folder; the first that is there counts. */
const instructionFileNames = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'];

/**
 * Characters of one file with what it includes, files that come to hold in one run, and folders
 * that are looked into at once.
 */
const limits = { characters: 32_000, files: 100, folders: 500 };

const copilotFile = '.github/copilot-instructions.md';

/** Opens the book of a run; nothing is read before it is asked. */
export function openInstructionLoader(source: InstructionSource): InstructionLoader {
  const { tree, before, record } = source;
  const loaded = new Map(before.map((one) => [one.ref, one]));
  /** Folders that were looked into, each with the file it has. */
  const folders = new Map<string, string | null>();
  let scoped: Promise<readonly ScopedInstructions[]> | null = null;
  let started: Promise<readonly ActivatedInstructions[]> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const allScoped = () => {
    scoped ??= loadScoped(source);
    return scoped;
  };
  const activate = async (ref: string, applies: string, text: string): Promise<ActivatedInstructions[]> => {
    const active = loaded.get(ref);
    if (active !== undefined) return [active];
    if (loaded.size >= limits.files || text.trim() === '') return [];
    const whole = text.includes('@')
      ? await (await import('./expand-includes.ts')).expandIncludes(tree, ref, text)
      : text.trim();
    const made = { ref, applies, text: cut(whole) };
    loaded.set(ref, made);
    record(made);
    return [made];
  };
  const ofRepository = async () => {
    const files = await tree.read([...instructionFileNames, copilotFile]);
    const first = instructionFileNames.find((name) => files.has(name));
    folders.set('', first ?? null);
    const text = (path: string | undefined) =>
      path === undefined
        ? ''
        : (files
            .get(path)
            ?.toString('utf8')
            .replace(/^\ufeff/, '') ?? '');
    const own = first === undefined ? [] : await activate(first, wholeRepository, text(first));
    // Many repositories keep the same text under both names.
    const other =
      text(copilotFile).trim() === text(first).trim()
        ? []
        : await activate(copilotFile, wholeRepository, text(copilotFile));
    const always: ActivatedInstructions[] = [];
    for (const one of await allScoped())
      if (one.always) append(always, await activate(one.ref, wholeRepository, one.text));
    return [...own, ...other, ...always];
  };
  const ofFiles = async (paths: readonly string[]) => {
    const around = new Set([...new Set(paths.flatMap(foldersAround))].slice(0, limits.folders));
    await readFolders([...around].filter((folder) => !folders.has(folder)));
    const found: ActivatedInstructions[] = [];
    for (const folder of [...around].sort()) {
      const file = folders.get(folder) ?? null;
      const active = file === null ? undefined : loaded.get(file);
      if (active !== undefined) found.push(active);
    }
    for (const one of await allScoped()) {
      if (!one.always && !paths.some((path) => one.matches(path))) continue;
      append(found, await activate(one.ref, one.always ? wholeRepository : one.globs.join(', '), one.text));
    }
    return found;
  };
  const readFolders = async (unknown: readonly string[]) => {
    const names = (folder: string) => instructionFileNames.map((name) => `${folder}/${name}`);
    const files = unknown.length === 0 ? new Map<string, Buffer>() : await tree.read(unknown.flatMap(names));
    for (const folder of [...unknown].sort()) {
      const file = names(folder).find((name) => files.has(name)) ?? null;
      folders.set(folder, file);
      const text =
        file === null
          ? ''
          : (files
              .get(file)
              ?.toString('utf8')
              .replace(/^\ufeff/, '') ?? '');
      if (file !== null) await activate(file, `${folder}/`, text);
    }
  };
  /**
   * One at a time: two runs of a family that come to the same folder must not activate it twice.
   */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  return {
    get activated() {
      return [...loaded.values()];
    },
    start() {
      started ??= inTurn(async () => {
        const whole = await ofRepository();
        const others = await ofFiles((await source.startPaths()).filter(isBelow));
        return [...new Set([...whole, ...others])];
      });
      return started;
    },
    async forPaths(paths) {
      const below = paths.filter(isBelow);
      return below.length === 0 ? [] : inTurn(() => ofFiles(below));
    },
  };
}

async function loadScoped({ tree, reviews }: InstructionSource): Promise<readonly ScopedInstructions[]> {
  // Most repositories have none, and what reads them is not needed then.
  if ((await tree.below('.github/instructions', 4, 1)).length === 0) return [];
  return (await import('./scoped-instructions.ts')).scopedInstructions(tree, { reviews });
}

/** The folders a file lies in, the root aside: `a` and `a/b` of `a/b/c.ts`. */
function foldersAround(file: string): string[] {
  const parts = posix.dirname(file).split('/');
  return parts[0] === '.' ? [] : parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns true if a path, as it was named, is a normal one below the root. */
function isBelow(path: string): boolean {
  return (
    path !== '' && !path.startsWith('/') && posix.normalize(path) === path && !/^\.\.?(?:\/|$)/.test(path)
  );
}

function cut(text: string): string {
  return text.length <= limits.characters
    ? text
    : `${text.slice(0, limits.characters).toWellFormed()}\n[… cut at ${limits.characters.toLocaleString('en')} characters …]`;
}
