// Times as people read them.

/**
 * timeLeft is how long it takes until then, in minutes and seconds.
 * @param {number} until in Unix milliseconds
 */
export function timeLeft(until) {
  const seconds = Math.max(0, Math.round((until - Date.now()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/**
 * duration is how long something took.
 * @param {number} ms
 */
export const duration = (ms) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);
