/** An error with the `type` that GitHub gives beside the message: `NOT_FOUND`, `FORBIDDEN`, `STALE_DATA`. */
export class GraphqlRefusal extends Error {
  override readonly name = 'GraphqlRefusal';
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}
