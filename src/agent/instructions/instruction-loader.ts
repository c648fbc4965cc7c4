import { posix } from 'node:path';
import { append } from '../../contract/lists.ts';
import type { ActivatedInstructions } from '../../contract/run-history.ts';
import type { TrustedTree } from '../../workspace/git/trusted-tree.ts';
import { wholeRepository } from './render-instructions.ts';
import type { ScopedInstructions } from './scoped-instructions.ts';

/** The active instructions of a run and its children, each with its text at activation. */
export interface InstructionLoader {
  /** Activated instructions, in order. */
  readonly activated: readonly ActivatedInstructions[];
  /**
   * Returns the instructions for the first turn: for the repository, and for the files that the run
   * starts with. Read once.
   */
  start(): Promise<readonly ActivatedInstructions[]>;
  /**
   * Returns the instructions for some files: of the folders around them, outer ones first, then by
   * globs. `paths`: from the root.
   */
  forPaths(paths: readonly string[]): Promise<readonly ActivatedInstructions[]>;
}

/** Input of an instruction book. */
export interface InstructionSource {
  /** Source of instructions, which the run cannot write. */
  readonly tree: TrustedTree;
  /** The files that are touched before the first turn: the files of the pull request. */
  readonly startPaths: () => Promise<readonly string[]>;
  /** True for a review. */
  readonly reviews: boolean;
  /** Instructions that were active in the resumed session. */
  readonly before: readonly ActivatedInstructions[];
  readonly record: (activated: ActivatedInstructions) => void;
}

/** Names of instruction files in any folder, the first wins. */
const instructionFileNames = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'];

/** Maximum characters of a file with its includes, files of a run, and folders read at once. */
const limits = { characters: 32_000, files: 100, folders: 500 };

const copilotFile = '.github/copilot-instructions.md';

/** Opens the instructions of a run. Nothing is read before the first call. */
export function openInstructionLoader(source: InstructionSource): InstructionLoader {
  return new LazyInstructions(source);
}

class LazyInstructions implements InstructionLoader {
  readonly #source: InstructionSource;
  readonly #active: Map<string, ActivatedInstructions>;
  /** The folders that were read, each with its file. */
  readonly #folders = new Map<string, string | null>();
  #scoped: Promise<readonly ScopedInstructions[]> | null = null;
  #started: Promise<readonly ActivatedInstructions[]> | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(source: InstructionSource) {
    this.#source = source;
    this.#active = new Map(source.before.map((one) => [one.ref, one]));
  }

  get activated(): readonly ActivatedInstructions[] {
    return [...this.#active.values()];
  }

  start(): Promise<readonly ActivatedInstructions[]> {
    this.#started ??= this.#inTurn(async () => {
      const whole = await this.#ofRepository();
      const others = await this.#ofFiles((await this.#source.startPaths()).filter(isBelow));
      return [...new Set([...whole, ...others])];
    });
    return this.#started;
  }

  async forPaths(paths: readonly string[]): Promise<readonly ActivatedInstructions[]> {
    const below = paths.filter(isBelow);
    return below.length === 0 ? [] : this.#inTurn(() => this.#ofFiles(below));
  }

  /** Queues a call: two runs of one tree must not activate the same file twice. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #loadScoped(): Promise<readonly ScopedInstructions[]> {
    this.#scoped ??= loadScoped(this.#source);
    return this.#scoped;
  }

  async #ofRepository(): Promise<ActivatedInstructions[]> {
    const files = await this.#source.tree.read([...instructionFileNames, copilotFile]);
    const first = instructionFileNames.find((name) => files.has(name)) ?? null;
    this.#folders.set('', first);
    const own = textOf(files, first);
    const copilot = textOf(files, copilotFile);
    const all = first === null ? [] : await this.#activate(first, wholeRepository, own);
    // Many repositories have the same text under both names.
    if (copilot.trim() !== own.trim())
      append(all, await this.#activate(copilotFile, wholeRepository, copilot));
    for (const one of await this.#loadScoped())
      if (one.always) append(all, await this.#activate(one.ref, wholeRepository, one.text));
    return all;
  }

  async #ofFiles(paths: readonly string[]): Promise<ActivatedInstructions[]> {
    const around = new Set([...new Set(paths.flatMap(foldersAround))].slice(0, limits.folders));
    await this.#readFolders([...around].filter((folder) => !this.#folders.has(folder)));
    const found = [...around].sort().flatMap((folder) => {
      const file = this.#folders.get(folder) ?? null;
      return file === null ? [] : (this.#active.get(file) ?? []);
    });
    for (const one of await this.#loadScoped()) {
      const applies = one.always ? wholeRepository : one.globs.join(', ');
      if (one.always || paths.some((path) => one.matches(path)))
        append(found, await this.#activate(one.ref, applies, one.text));
    }
    return found;
  }

  async #readFolders(folders: readonly string[]): Promise<void> {
    if (folders.length === 0) return;
    const names = (folder: string) => instructionFileNames.map((name) => `${folder}/${name}`);
    const files = await this.#source.tree.read(folders.flatMap(names));
    for (const folder of [...folders].sort()) {
      const file = names(folder).find((name) => files.has(name)) ?? null;
      this.#folders.set(folder, file);
      if (file !== null) await this.#activate(file, `${folder}/`, textOf(files, file));
    }
  }

  /** Activates a file once. Returns nothing for an empty file, or beyond the limit of files. */
  async #activate(ref: string, applies: string, text: string): Promise<ActivatedInstructions[]> {
    const active = this.#active.get(ref);
    if (active !== undefined) return [active];
    if (this.#active.size >= limits.files || text.trim() === '') return [];
    const whole = text.includes('@')
      ? await (await import('./expand-includes.ts')).expandIncludes(this.#source.tree, ref, text)
      : text.trim();
    const made = { ref, applies, text: cut(whole) };
    this.#active.set(ref, made);
    this.#source.record(made);
    return [made];
  }
}

function textOf(files: ReadonlyMap<string, Buffer>, path: string | null): string {
  const bytes = path === null ? undefined : files.get(path);
  return bytes?.toString('utf8').replace(/^\ufeff/, '') ?? '';
}

async function loadScoped({ tree, reviews }: InstructionSource): Promise<readonly ScopedInstructions[]> {
  // Most repositories have none, so their reader is not loaded.
  if ((await tree.below('.github/instructions', 4, 1)).length === 0) return [];
  return (await import('./scoped-instructions.ts')).scopedInstructions(tree, { reviews });
}

/** Returns the folders above a file, without the root: `a` and `a/b` of `a/b/c.ts`. */
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
