import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start processes, browsers and stand-ins, and take longest. */
const heavy = /^test\/(?:uses|red-team|action|command-line|project|demo)\/|^test\/[^/]+$/;

/**
 * Has the heavy files of each project started first, so that no long one is left for the end, when the other worker has
 * nothing more to do. Else the order is vitest's own.
 */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const file = path.relative(this.ctx.config.root, moduleId).split(path.sep).join('/');
      return projects.indexOf(project.name) * 2 + (heavy.test(file) ? 0 : 1);
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
