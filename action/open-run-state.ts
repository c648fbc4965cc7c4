/** The name under which the runner tells the end of the job that the step began a run. */
export const openRunState = 'open_run';

/** The name under which it tells that the job was cancelled. */
export const cancelledState = 'cancelled';
