/** Words of messages that only ask to continue, in the languages that most people write. Core knows those in English. */
export const nods: readonly string[] =
  `ja jawohl klar gerne genau gut okey weiter weitermachen mach mache machen bitte danke passt einverstanden los leg so das stimmt richtig super fortfahren
  oui d accord vas y va continue continuez continuer parfait c est bon bien merci allez allons-y s il te vous plaît plait
  sí si vale dale adelante continúa continua continúe sigue seguir claro perfecto hazlo hágalo por favor gracias de acuerdo
  sì va bene procedi procedere continua avanti perfetto certo per favore grazie d'accordo
  sim pode claro prossiga continue continuar em frente perfeito vá por favor obrigado obrigada beleza isso
  ga door verder prima doe maar graag dank je
  tak dalej kontynuuj dobrze jasne proszę śmiało
  да давай давайте продолжай продолжайте хорошо ок окей конечно пожалуйста спасибо дальше так продовжуй добре
  evet tamam devam et lütfen olur
  ano dobře pokračuj jo ja fortsätt gärna bra fortsett kyllä jatka
  ya lanjut lanjutkan oke silakan baik có vâng được tiếp tục đi
  نعم تابع استمر حسنا حسناً אישור כן המשך
  हाँ हां जारी रखें ठीक है
  好的 好 继续 請繼續 繼續 请继续 可以 是的 是 行 嗯 对 對 没问题 沒問題 同意 开始 開始 就这样 继续吧 好吧 可以的 没错
  はい 続けて 続けてください お願い お願いします いいよ いいです 了解 了解です そうして どうぞ ok です
  네 예 응 계속 계속해 계속해줘 계속해주세요 계속하세요 좋아 좋아요 진행해 진행해줘 진행해주세요 그래 맞아`.split(
    /\s+/,
  );
