/* Numbers, sizes, durations and dates as text. */

const NUMBER = new Intl.NumberFormat('en');
const ONE_DIGIT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
const DAY_TIME = new Intl.DateTimeFormat('en', {
  month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
  hourCycle: 'h23',
});
const FULL = new Intl.DateTimeFormat('en', {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit',
  second: '2-digit', hourCycle: 'h23',
});

/** @param {number} value */
export function count(value) {
  return NUMBER.format(value);
}

/** "1 document", "1,204 documents". @param {number} value @param {string} noun */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** @param {number} value */
export function bytes(value) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : ONE_DIGIT.format(size)} ${units[unit]}`;
}

/** Share in percent; small shares are never shown as 0. */
export function share(part, whole) {
  if (whole === 0 || part === 0) {
    return '0 %';
  }
  const percent = (100 * part) / whole;
  if (percent < 0.1) {
    return 'less than 0.1 %';
  }
  return part < whole && percent > 99.9 ? 'more than 99.9 %' : `${ONE_DIGIT.format(percent)} %`;
}

/** Two units at most: "1 d 2 h", "30 min". @param {number} seconds */
export function duration(seconds) {
  const parts = [];
  let rest = Math.round(seconds);
  if (rest < 1) {
    return '0 s';
  }
  for (const [name, size] of UNITS) {
    if (rest >= size && parts.length < 2) {
      parts.push(`${count(Math.floor(rest / size))} ${name}`);
      rest %= size;
    } else if (parts.length === 1) {
      break;
    }
  }
  return parts.join(' ');
}

/** One unit in full words: "30 minutes"; exact, so "90 minutes" is not "1 hour". */
export function exactDuration(seconds) {
  const names = { d: 'day', h: 'hour', min: 'minute', s: 'second' };
  const [name, size] = UNITS.find(([, unit]) => seconds % unit === 0 && seconds >= unit) ??
    ['s', 1];
  return counted(seconds / size, names[name]);
}

/** Number and unit of a duration, for a form. @param {number} seconds */
export function inUnits(seconds) {
  const [, size] = UNITS.find(([, unit]) => seconds % unit === 0 && seconds >= unit) ?? ['s', 1];
  return { number: seconds / size, unit: size };
}

/** Difference of two instants in words: "in 12 min", "3 s ago". @param {number} millis */
export function relative(millis) {
  const seconds = Math.floor(Math.abs(millis) / 1000);
  if (seconds < 1) {
    return millis >= 0 ? 'in less than 1 s' : 'just now';
  }
  return millis >= 0 ? `in ${duration(seconds)}` : `${duration(seconds)} ago`;
}

/** Date of an Extended JSON value, an ISO text or epoch milliseconds. */
export function toDate(value) {
  if (value === undefined || value === null) {
    return undefined;
  }
  const inner = value.$date ?? value;
  return new Date(typeof inner === 'object' && inner.$numberLong ? Number(inner.$numberLong) :
    inner);
}

/** In the zone of the browser. @param {Date} date */
export function when(date) {
  if (Number.isNaN(date.getTime())) {
    return 'unknown';
  }
  const sameYear = date.getFullYear() === new Date().getFullYear();
  return (sameYear ? DAY_TIME : FULL).format(date);
}

/** ISO form; dates out of range have none. @param {Date} date */
export function iso(date) {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
