import { inUnits } from './format.js';

/* Rules of a collection as fields of a form, and back as a request. */

const NO_TIME = { number: '', unit: 60 };

/** @param {Record<string, any>} rules @returns {Record<string, any>} fields of the form */
export function toFields(rules) {
  const time = (seconds) => (seconds === undefined ? { ...NO_TIME } : inUnits(seconds));
  return {
    mode: rules.default === undefined ? 'off' : rules.default === -1 ? 'own' : 'on',
    time: rules.default > 0 ? inUnits(rules.default) : { ...NO_TIME },
    property: rules.property ?? '',
    id: { ...time(rules.id), off: rules.id === undefined },
    indexes: Object.fromEntries(Object.entries(rules.indexes ?? {})
      .map(([name, seconds]) => [name, { ...time(seconds), on: true }])),
    grace: time(rules.graceSeconds || undefined),
  };
}

/** Seconds of a time field; undefined while it is empty or no whole number. */
export function seconds({ number, unit }) {
  const value = Number(number) * unit;
  return number === '' || !Number.isInteger(value) || value < 0 ? undefined : value;
}

/**
 * What the form would change, as the body of a request; `problem` if a field is missing.
 * @returns {{change?: Record<string, any>, problem?: string}}
 */
export function toChange(fields, rules) {
  const change = {};
  const wanted = { off: 'off', own: -1, on: seconds(fields.time) }[fields.mode];
  if (fields.mode === 'on' && !(wanted >= 1)) {
    return { problem: 'Enter the time to live: a whole number of seconds, at least 1.' };
  }
  if (wanted !== (rules.default ?? 'off')) {
    change.default = wanted;
  }
  if (fields.property !== (rules.property ?? '')) {
    change.property = fields.property;
  }
  const id = fields.id.off ? 'off' : seconds(fields.id);
  if (id === undefined) {
    return { problem: 'Enter the time after the date in the id.' };
  }
  if (id !== (rules.id ?? 'off')) {
    change.id = id;
  }
  for (const [name, field] of Object.entries(fields.indexes)) {
    const value = field.on ? seconds(field) : 'off';
    if (value === undefined) {
      return { problem: `Enter the seconds of index ${name}.` };
    }
    if (value !== rules.indexes?.[name]) {
      change.indexes = { ...change.indexes, [name]: value };
    }
  }
  const grace = fields.grace.number === '' ? 0 : seconds(fields.grace);
  if (grace === undefined) {
    return { problem: 'The grace must be a whole number of seconds.' };
  }
  if (grace !== (rules.graceSeconds ?? 0)) {
    change.graceSeconds = grace;
  }
  return Object.keys(change).length === 0 ? {} : { change };
}

/** Rules after a change, for a sentence. */
export function changedRules(rules, change) {
  const after = { ...rules, ...change, indexes: { ...rules.indexes, ...change.indexes } };
  for (const name of ['default', 'id']) {
    if (after[name] === 'off') {
      delete after[name];
    }
  }
  after.indexes = Object.fromEntries(Object.entries(after.indexes)
    .filter(([, value]) => value !== 'off'));
  return after;
}
