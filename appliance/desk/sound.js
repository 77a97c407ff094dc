"use strict";
/* The buzzer: a short tone for each signal. A browser lets a page sound only after a first press or click. */

const TONES = { press: [[1200, 0.03]], refuse: [[300, 0.12]], menu: [[800, 0.04], [1200, 0.04]] }; // Hz, seconds
Object.assign(TONES, { win: [[660, 0.1], [880, 0.1], [1320, 0.2]], loss: [[440, 0.15], [330, 0.15], [220, 0.3]], draw: [[440, 0.15], [440, 0.15]] });

class Buzzer {
  constructor() {
    this.muted = false;
    this.audio = null;
  }

  sound(signal) {
    if (this.muted || !navigator.userActivation?.hasBeenActive) return;
    this.audio ??= new AudioContext();
    let at = this.audio.currentTime;
    for (const [frequency, seconds] of TONES[signal] ?? []) {
      const tone = new OscillatorNode(this.audio, { type: "square", frequency });
      tone.connect(new GainNode(this.audio, { gain: 0.05 })).connect(this.audio.destination);
      tone.start(at);
      tone.stop((at += seconds));
    }
  }
}
