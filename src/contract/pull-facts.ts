/** A pull request as the API has it. `head.repository` is null where the fork is gone. */
export interface PullFacts {
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly head: { readonly ref: string; readonly sha: string; readonly repository: string | null };
  readonly base: { readonly ref: string; readonly sha: string };
}
