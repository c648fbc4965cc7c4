/** Preloaded by `node --import` into a program under test: an error that nothing catches, at the moment of a signal. */
process.on('SIGUSR2', () => {
  throw new RangeError('a stray defect');
});
