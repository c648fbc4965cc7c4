import * as z from 'zod';

/** Which severities are told: of all of them, or of one, by the names that other tools have for it too. */
export const severityFilter = z.preprocess(
  (value) => {
    if (value === null || value === '' || value === 'all') return 'any';
    const word = typeof value === 'string' ? value.toLowerCase() : value;
    return word === 'information'
      ? 'info'
      : typeof word === 'string'
        ? word.replace(/^(error|warning|hint)s$/, '$1')
        : word;
  },
  z.enum(['any', 'error', 'warning', 'info', 'hint']).default('any'),
);
