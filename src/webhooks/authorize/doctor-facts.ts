/** What the way in knows of its machine and its rights. What nobody could find out is null. */
export interface DoctorFacts {
  /** Permissions of the installation by name, as GitHub's API has them. */
  readonly permissions: Readonly<Record<string, string>> | null;
  /** Events that are delivered. */
  readonly events: readonly string[] | null;
  readonly sandbox: { readonly ok: boolean; readonly found: string };
  /** The name of the model, or why there is none; never a key. */
  readonly model: { readonly ok: boolean; readonly found: string };
}
