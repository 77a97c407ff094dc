"use strict";
/* The buzzer: a signal's waves, in hertz and seconds. A browser lets a page sound only after a first press or
   click. */

class Buzzer {
  constructor() {
    this.muted = false;
    /** @type {AudioContext | null} */
    this.audio = null;
    /** @type {Waves} */
    this.waves = {}; // as the box says
  }

  /** @type {(signal: string) => void} */
  sound(signal) {
    if (this.muted || !navigator.userActivation?.hasBeenActive) return;
    this.audio ??= new AudioContext();
    let at = this.audio.currentTime;
    for (const [frequency, seconds] of this.waves[signal] ?? []) {
      if (frequency) {
        const tone = new OscillatorNode(this.audio, { type: "square", frequency });
        tone.connect(new GainNode(this.audio, { gain: 0.05 })).connect(this.audio.destination);
        tone.start(at);
        tone.stop(at + seconds);
      }
      at += seconds;
    }
  }
}
