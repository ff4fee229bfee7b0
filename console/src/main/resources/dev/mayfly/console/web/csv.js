import { describe, forReading } from './ejson.js';

/* Documents as CSV. A spreadsheet must not run cells as formulas. */

/** @param {string[]} texts @returns {string[]} lines */
export function csvOf(texts) {
  const rows = texts.map(forReading);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells) => `${cells.map(cell).join(',')}\r\n`;
  const cells = (row) => names.map((name) => describe(row[name], Infinity).text);
  return [line(names), ...rows.map((row) => line(cells(row)))];
}

function cell(text) {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
