/** The part of a pino logger that reporting uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
