import { notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { type Handlers, onRepository } from '../protocol/call.ts';
import { signed } from '../uploads.ts';

/**
 * The log of a job (GitHub Docs, "REST API endpoints for workflow jobs"): a redirect to a signed address on another host, which
 * refuses a request with credentials.
 */
export const jobHandlers: Handlers = {
  'actions/download-job-logs-for-workflow-run': onRepository((call) => {
    permit(call, 'actions', 'read');
    const log = call.repository.jobLogs.get(Number(call.params.job_id));
    if (log === undefined) throw notFound();
    const location = signed(call.world, log).replace('//127.0.0.1:', '//localhost:');
    return { status: 302, location };
  }),
};
