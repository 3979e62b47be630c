/** What may be adapted to how a conversation goes. Shares of the window (0–1), messages. */
export interface AdaptableSettings {
  readonly strategy: string;
  readonly warn: number;
  readonly compress: number;
  readonly preserveStart: number;
  readonly preserveEnd: number;
}

export interface ConversationHabits {
  /** Compressions per check, 0–1. */
  readonly compressionFrequency: number;
  /** Mean number of messages. */
  readonly length: number;
  /** Mean tokens of a message. */
  readonly messageTokens: number;
}

/**
 * Settings that fit how conversations have gone: earlier compression where it was frequent, later where it was rare, more
 * kept at both ends of long ones, and the strategy by the size of messages. Rules of Cipher (ByteRover).
 */
export function adaptSettings(settings: AdaptableSettings, habits: ConversationHabits): AdaptableSettings {
  const { compressionFrequency, length, messageTokens } = habits;
  const [warnBy, compressBy] =
    compressionFrequency > 0.3 ? [0.9, 0.95] : compressionFrequency < 0.1 ? [1.1, 1.05] : [1, 1];
  const more = (count: number) => (length > 50 ? Math.max(count, Math.min(10, count + 2)) : count);
  return {
    strategy:
      messageTokens > 1000 ? 'middle-removal' : messageTokens < 100 ? 'oldest-removal' : settings.strategy,
    warn: clamp(settings.warn * warnBy, 0.5, 0.95),
    compress: clamp(settings.compress * compressBy, 0.6, 0.98),
    preserveStart: more(settings.preserveStart),
    preserveEnd: more(settings.preserveEnd),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
