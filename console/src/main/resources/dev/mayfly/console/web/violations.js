import { describe } from './ejson.js';
import { placeOf } from './keytext.js';

/* Refusals of a validator: which rule was broken, at which path of the document. */

/**
 * Broken rules of a refusal.
 * @param {string | undefined} details text of `errInfo` @returns {{path: string, text: string}[]}
 */
export function violations(details) {
  const found = [];
  try {
    walk(JSON.parse(details).details, [], found);
  } catch {
    return [];
  }
  return found;
}

/** The same with line and column in the text of the document, where the path exists. */
export function violationsIn(details, text) {
  return violations(details).map((each) => ({ ...each, ...lineAt(text, each.path) }));
}

function lineAt(text, path) {
  const at = path === '' ? undefined : placeOf(text, path.split('.'));
  if (at === undefined) {
    return {};
  }
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before.at(-1).length + 1 };
}

function walk(rule, path, found) {
  const nested = [
    ...(rule.schemaRulesNotSatisfied ?? []).map((each) => [each, path]),
    ...(rule.propertiesNotSatisfied ?? []).flatMap((property) =>
      property.details.map((each) => [each, [...path, property.propertyName]])),
    ...(rule.clausesNotSatisfied ?? []).map((each) => [each.details, path]),
    ...(rule.details ?? []).map((each) => [each, itemPath(rule, path)]),
  ];
  for (const name of rule.missingProperties ?? []) {
    found.push({ path: [...path, name].join('.'), text: 'is missing, but required' });
  }
  for (const name of rule.additionalProperties ?? []) {
    found.push({ path: [...path, name].join('.'), text: 'is not allowed' });
  }
  nested.forEach(([each, at]) => walk(each, at, found));
  if (nested.length === 0 && rule.reason) {
    found.push({ path: [...path, ...fieldOf(rule)].join('.'), text: reason(rule) });
  }
}

function itemPath(rule, path) {
  const index = rule.itemIndex?.$numberInt ?? rule.itemIndex;
  return index === undefined ? path : [...path, String(index)];
}

/** Field of a clause such as {"n": {"$gt": 5}}. */
function fieldOf({ operatorName, specifiedAs }) {
  const name = Object.keys(specifiedAs ?? {})[0];
  return !name || name.startsWith('$') || name === operatorName ? [] : name.split('.');
}

function reason({ reason: why, specifiedAs, consideredValue }) {
  const wanted = specifiedAs ? `; wanted ${JSON.stringify(specifiedAs)}` : '';
  const is = consideredValue === undefined ? '' : `, is ${describe(consideredValue).text}`;
  return `${why}${wanted}${is}`;
}
