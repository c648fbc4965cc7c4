/** Facts about the machine and our permissions; null for unknown ones. */
export interface DoctorFacts {
  /** Permissions of the installation by their API names. */
  readonly permissions: Readonly<Record<string, string>> | null;
  /** Events that GitHub delivers. */
  readonly events: readonly string[] | null;
  readonly sandbox: { readonly ok: boolean; readonly found: string };
  /** The model's name, or why there is none; never a key. */
  readonly model: { readonly ok: boolean; readonly found: string };
}
