/** Phrases that thank, in lower case, separated by bars. */
const thanks = [
  'thanks|thank you|thank u|thankyou|thx|thnx|tnx|ty|tysm|cheers|kudos|many thanks|big thanks|thanks all',
  'much appreciated|appreciated|appreciate it|i appreciate it|really appreciate it|appreciate the help',
  'danke|dankeschön|danke schön|danke dir|danke sehr|vielen dank|besten dank|herzlichen dank|tausend dank',
  'merci|merci beaucoup|merci bien|mille mercis|un grand merci|gracias|muchas gracias|mil gracias',
  'obrigado|obrigada|muito obrigado|muito obrigada|brigado|brigada|valeu|grazie|grazie mille|molte grazie',
  'bedankt|dank je|dank je wel|dankjewel|dank u|hartelijk dank|tack|tack så mycket|tak|mange tak|takk|kiitos',
  'dzięki|dziękuję|dziekuje|wielkie dzięki|díky|děkuji|köszönöm|mulțumesc|multumesc|ευχαριστώ',
  'спасибо|большое спасибо|спасибо большое|благодарю|дякую|teşekkürler|teşekkür ederim|sağ ol|sağol',
  'شكرا|شكراً|شكرًا|شكرا لك|धन्यवाद|शुक्रिया|terima kasih|makasih|cảm ơn|cám ơn|ขอบคุณ|תודה|תודה רבה',
  '谢谢|謝謝|谢谢你|谢谢您|謝謝你|多谢|多謝|感谢|感謝|非常感谢|非常感謝|辛苦了|辛苦啦',
  'ありがとう|ありがとうございます|ありがとうございました|どうもありがとう|どうもありがとうございます|感謝します|助かります|助かりました',
  'お疲れ様です|お疲れ様でした|お疲れさまです|감사합니다|감사해요|고마워|고마워요|고맙습니다|정말 감사합니다|수고하셨습니다',
];

/** Phrases that praise. None of them agrees to anything. */
const praise = [
  'well done|nicely done|way to go|good bot|love it|i love it|love this|i love this|you rock|bravo|congrats',
  'super|klasse|prima|toll|spitze|sehr gut|gut gemacht|gute arbeit|tolle arbeit|super arbeit|perfekt|genial',
  'génial|parfait|très bien|beau travail|bon travail|bien joué|excelente|perfecto|bien hecho|buen trabajo',
  'muy bien|estupendo|ótimo|perfeito|bom trabalho|muito bom|muito bem|parabéns|ottimo|perfetto|ottimo lavoro',
  'goed gedaan|goed werk|bra jobbat|świetnie|dobra robota|отлично|супер|молодец|отличная работа|harika',
  '太棒了|很好|非常好|干得好|做得好|做得很好|棒|真棒|赞|点赞|厉害|不错|很棒|完美|太好了',
  '素晴らしい|すばらしい|素晴らしいです|すごい|いいね|いいですね|完璧|完璧です|最高|最高です',
  '최고|최고예요|최고입니다|좋아요|좋네요|훌륭해요|훌륭합니다|잘했어요|완벽해요|완벽합니다|멋져요',
];

const setOf = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split('|')).map((phrase) => phrase.normalize('NFC')));
const thanking = setOf(thanks);
const praising = setOf(praise);

/** English thanks with an addition: `thanks so much for the quick fix`. */
const much = '(?: (?:so much|very much|a lot|a ton|a bunch|a million|again|everyone|folks|bot))*';
const noun =
  'fix|fixes|review|reviews|help|work|answer|explanation|summary|update|changes|change|catch|findings|finding|suggestions|suggestion|plan|report|feedback|info';
const reason = `(?: for (?:this|that|it|everything|(?:the|your|this|that|these|those|all the)(?: (?:quick|fast|great|good|nice|thorough|helpful))? (?:${noun})))?`;
const englishThanks = new RegExp(
  `^(?:many |ok |okay |great |awesome |nice |perfect )?(?:thanks|thank you|thx|ty)${much}${reason}$`,
  'u',
);

const good =
  'great|good|nice|cool|awesome|amazing|excellent|perfect|fantastic|brilliant|wonderful|superb|impressive|neat|sweet|beautiful|lovely|incredible|outstanding';
/** English praise: `that was a really great catch`. */
const englishPraise = new RegExp(
  `^(?:(?:wow|oh|that's|that is|that was|this is|it's|you're|you are|what a|a|so|very|really|absolutely|simply|just|pretty) )*(?:${good})(?: (?:work|job|catch|find|stuff|bot|point|review|answer|summary|explanation))?$`,
  'u',
);

/** Words beside thanks that mean nothing by themselves. */
const fillers = new Set('and|&|wow|ok|okay|oh|yay|hey|hi|hello|ja|oui|sí|さん'.split('|'));

/** Returns true for a phrase that thanks. Expects lower case and single spaces. */
export const isThankful = (phrase: string): boolean => thanking.has(phrase) || englishThanks.test(phrase);

/** Returns true for a phrase that praises. Expects lower case and single spaces. */
export const isPraise = (phrase: string): boolean => praising.has(phrase) || englishPraise.test(phrase);

/** Returns true for a word beside thanks that changes nothing. Expects lower case. */
export const saysNothing = (phrase: string): boolean => fillers.has(phrase);
