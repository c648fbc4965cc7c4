import { notFound } from '../protocol/api-error.ts';
import { permit } from '../protocol/authorize.ts';
import { type Handlers, onRepository } from '../protocol/call.ts';
import { signed } from '../uploads.ts';

/**
 * A workflow run with its state alone (GitHub Docs, "Get a workflow run"), and the log of a job
 * (GitHub Docs, "REST API endpoints for workflow jobs"). The log is a redirect to a signed address
 * on another host, which refuses a request with credentials.
 */
export const jobHandlers: Handlers = {
  'actions/get-workflow-run': onRepository((call) => {
    const id = Number(call.params.run_id);
    const status = call.repository.workflowRuns.get(id);
    if (status === undefined) throw notFound();
    permit(call, 'actions', 'read');
    return { status: 200, body: { id, status, conclusion: status === 'completed' ? 'failure' : null } };
  }),
  'actions/download-job-logs-for-workflow-run': onRepository((call) => {
    permit(call, 'actions', 'read');
    const log = call.repository.jobLogs.get(Number(call.params.job_id));
    if (log === undefined) throw notFound();
    const location = signed(call.world, log).replace('//127.0.0.1:', '//localhost:');
    return { status: 302, location };
  }),
};
