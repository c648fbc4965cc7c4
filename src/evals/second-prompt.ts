/**
 * Returns the prompt of a further try: a new run, which finds the changes of the one before in the
 * files, and gets the output of the tests.
 */
export function secondPrompt(prompt: string, output: string): string {
  return [
    prompt,
    'An earlier try is in the files already. Then tests failed with this output:',
    output.trim(),
    'The tests are right. Correct the files.',
  ].join('\n\n');
}
