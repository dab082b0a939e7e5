/** How loud a track is. */
export interface LevelMeter {
  /** Root mean square of the newest samples, 0 to 1. */
  level(): number;
  close(): void;
}

/** Samples that one level is taken of: some 40 ms. */
const windowSamples = 2_048;

/** Measures a track of sound, without playing it. */
export function measureLevel(context: AudioContext, track: MediaStreamTrack): LevelMeter {
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = new AnalyserNode(context, { fftSize: windowSamples });
  source.connect(analyser);
  const samples = new Float32Array(windowSamples);
  return {
    level() {
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / windowSamples);
    },
    close: () => source.disconnect(),
  };
}

/** Level from which sound counts as speech: above the noise of a quiet room, below a soft voice. */
const speechLevel = 0.01;
/** How often levels are taken. */
const checkMs = 100;
/** A speaker stays marked in the pauses between words. */
const holdMs = 600;

/** Users who speak. */
export type Speaking = Readonly<Record<string, true>>;

/** Marks who speaks among the microphones that it follows. */
export interface SpeakerWatch {
  /** Follows these tracks from now on, by user, and no others. */
  follow(tracks: Readonly<Record<string, MediaStreamTrack | null>>): void;
  close(): void;
}

/** Calls `onChange` with those who speak whenever one begins or ends. */
export function watchSpeakers(onChange: (speaking: Speaking) => void): SpeakerWatch {
  const context = new AudioContext();
  const meters = new Map<string, { track: MediaStreamTrack; meter: LevelMeter; loudAt: number }>();
  let before = "";
  const drop = (userId: string) => {
    meters.get(userId)?.meter.close();
    meters.delete(userId);
  };
  const check = () => {
    const now = performance.now();
    const speaking: Record<string, true> = {};
    for (const [userId, followed] of meters) {
      if (followed.meter.level() >= speechLevel) followed.loudAt = now;
      if (now - followed.loudAt < holdMs) speaking[userId] = true;
    }
    const found = Object.keys(speaking).join();
    if (found !== before) onChange(speaking);
    before = found;
  };
  const timer = setInterval(check, checkMs);
  return {
    follow(tracks) {
      for (const [userId, { track }] of meters) if (tracks[userId] !== track) drop(userId);
      for (const [userId, track] of Object.entries(tracks)) {
        if (track === null || meters.has(userId)) continue;
        meters.set(userId, { track, meter: measureLevel(context, track), loudAt: Number.NEGATIVE_INFINITY });
      }
    },
    close() {
      clearInterval(timer);
      for (const userId of [...meters.keys()]) drop(userId);
      void context.close();
    },
  };
}
