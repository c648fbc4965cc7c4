import { once } from 'node:events';
import { loadSample } from './sample.ts';
import {
  actionStep,
  automatedReview,
  commentTask,
  forkSuggestions,
  issueToPullRequest,
  pushAndMerge,
  questionAndHandoff,
} from './scenes.ts';
import { chooseModel, setStage } from './stage.ts';
import { brokenAt, createTimeline } from './timeline.ts';

/** Characters of a line, on a wider screen too. */
const longestLine = 80;
/** Lines of a text from GitHub. */
const longestText = 2;

/** Plays a pull request from open to merge, then the other uses; `--keep` leaves GitHub's stand-in up to be looked at. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== '--keep');
  if (unknown !== undefined) {
    console.error(`"${unknown}" is not an option. usage: npm run demo [-- --keep]`);
    return 2;
  }
  const columns = Math.min(process.stdout.isTTY ? process.stdout.columns : longestLine, longestLine);
  const screen = {
    write: (text: string) => void process.stdout.write(text),
    columns,
    // Knows `NO_COLOR`, `FORCE_COLOR` and terminals that have none.
    colours: process.stdout.hasColors?.() ?? false,
  };
  const timeline = createTimeline(screen, longestText);
  const sample = loadSample();
  const model = await chooseModel(process.env, sample);
  console.log(brokenAt(model.description, columns).join('\n'));
  const stage = await setStage(sample, model);
  const startedAt = performance.now();
  const interrupted = once(process, 'SIGINT');
  try {
    const play = async () => {
      const scenery = await automatedReview(stage, timeline);
      await commentTask(stage, scenery, timeline);
      await questionAndHandoff(stage, scenery, timeline);
      await pushAndMerge(stage, scenery, timeline);
      await issueToPullRequest(stage, timeline);
      await forkSuggestions(stage, timeline);
      await actionStep(stage, timeline);
      return scenery;
    };
    const scenery = await Promise.race([play(), interrupted.then(() => null)]);
    if (scenery === null) return 130;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const { problems } = timeline;
    console.log(
      problems.length === 0
        ? `\nAll of this happened, in ${seconds} s.`
        : `\nDid not happen:\n${problems.map((one) => `- ${one}`).join('\n')}`,
    );
    if (args.includes('--keep')) {
      console.log(`\nLook around: ${stage.repository.url}/pull/${scenery.pullRequest}   (Ctrl-C ends it)`);
      await interrupted;
    }
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    timeline.missing(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    if (timeline.problems.length > 0) console.error(`\nThe App complained:\n${stage.complaints.join('\n')}`);
    await stage.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
