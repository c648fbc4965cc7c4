import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start processes, browsers and stand-ins, and take longest. */
const heavy = /^test\/(?:uses|red-team|action|command-line|project|demo)\/|^test\/[^/]+$/;

/**
 * Runs one project after the other, in the order of the configuration, and the heavy files of each
 * first. Then no long file is left at the end, when the other workers are idle.
 */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = this.ctx.projects.map(({ name }) => name);
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const file = path.relative(this.ctx.config.root, moduleId).split(path.sep).join('/');
      return projects.indexOf(project.name) * 2 + (heavy.test(file) ? 0 : 1);
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
