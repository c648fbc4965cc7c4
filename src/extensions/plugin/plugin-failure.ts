/** What became of a question to a plug-in that was not answered as it should be. */
export type PluginFailureKind =
  /** It answered with an error of its own. */
  | 'answered'
  /** It does not know the method or the tool. */
  | 'unknown'
  /** Its answer is too large, or none that is understood. */
  | 'unusable'
  | 'timeout'
  /** Its process is gone, or never was; the next call starts it again. */
  | 'ended'
  /** Its process is gone for good. */
  | 'over';

/** Why a plug-in did not do what it was asked. The message is a clause with the plug-in as its subject, without an end. */
export class PluginFailure extends Error {
  override readonly name = 'PluginFailure';
  readonly kind: PluginFailureKind;
  /** The last it had printed to standard error; empty where there was nothing. */
  readonly said: string;

  constructor(kind: PluginFailureKind, message: string, said = '') {
    super(message);
    this.kind = kind;
    this.said = said;
  }
}
