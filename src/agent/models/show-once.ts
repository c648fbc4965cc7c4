/** Takes the text of one try. */
interface Try {
  push(piece: string): void;
  /** The try has ended well. */
  end(): void;
}

const brokeOff = '\n\n[The answer broke off and begins again.]\n\n';

/**
 * Hands streamed text on so that a listener sees none of it twice, however often an answer is begun: what a new try
 * repeats of the one before is swallowed, and one that says something else says first that it begins again.
 */
export function showOnce(onText: (text: string) => void): { begin(): Try } {
  let shown = '';
  return {
    begin() {
      const before = shown;
      let said = '';
      let repeats = before !== '';
      const anew = () => {
        repeats = false;
        shown = said;
        onText(said.startsWith(before) ? said.slice(before.length) : `${brokeOff}${said}`);
      };
      return {
        push(piece) {
          said += piece;
          if (!repeats) {
            shown = said;
            onText(piece);
          } else if (!before.startsWith(said)) anew();
        },
        end() {
          if (repeats && said !== before) anew();
        },
      };
    },
  };
}
