/** The server has ended. The message is a clause with it as the subject. */
export class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
  /** True if it never answered. */
  readonly silent: boolean;

  constructor(message: string, { silent = false }: { readonly silent?: boolean } = {}) {
    super(message);
    this.silent = silent;
  }
}
