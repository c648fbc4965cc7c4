const working = /^<!-- anode:progress v\d+ [^\n]*-->\s*\*\*(?:Working on it|Writing the report)\.\*\*\n/;

/** Returns true for our comment on a run that works or waits for its turn, without a report. */
export const showsWork = (body: string): boolean => working.test(body);
