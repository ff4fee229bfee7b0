/* The server's time in the page. Countdowns run by it; while a test clock stands, they stand. */

let base = Date.now();
let readAt = performance.now();
let stands = false;
const listeners = new Set();
let timer;

/** Takes over the server's time. @param {Date} time @param {boolean} standing a test clock */
export function synchronize(time, standing) {
  base = time.getTime();
  readAt = performance.now();
  stands = standing;
  tick();
}

/** The server's time now, in epoch milliseconds. */
export function now() {
  return stands ? base : base + performance.now() - readAt;
}

/** Calls a function every second while the tab is in sight. @returns {() => void} stops it */
export function everySecond(listener) {
  listeners.add(listener);
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function tick() {
  if (document.visibilityState === 'visible') {
    listeners.forEach((listener) => listener());
  }
}
