/** True where `npm test` has just built what there is to start: a start then takes half the time. */
const built = process.env.ANODE_TEST_BUILT === '1';

/** The command line that tests start as a process, from the project's root. */
export const cliProgram = built ? 'dist/cli.js' : 'src/cli.ts';

/** The Action, likewise. */
export const actionProgram = built ? 'action/dist/index.js' : 'action/main.ts';

/** The end of its job. */
export const postProgram = built ? 'action/dist/post.js' : 'action/post.ts';
