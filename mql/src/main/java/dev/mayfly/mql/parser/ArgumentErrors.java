package dev.mayfly.mql.parser;

import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/**
 * Error messages for named arguments of operators.
 *
 * <p>MongoDB's operators use different wordings, and users search for these texts, so each message
 * is the same as in MongoDB. Placeholders: {@code {op}} is the operator, {@code {name}} the
 * argument, {@code {given}} and {@code {type}} the value found and its type.
 */
enum ArgumentErrors {
  DATES(
      "{op} only supports an object as its argument",
      "Unrecognized argument to {op}: {name}",
      "Missing '{name}' parameter to {op}"),
  DATE_PART(
      "{op} only supports an object as its argument",
      "unrecognized option to {op}: \"{name}\"",
      "missing '{name}' argument to {op}, provided: {op}: {given}"),
  DATE_TEXT(
      "{op} only supports an object as an argument, found: {type}",
      "Unrecognized argument to {op}: {name}",
      "Missing '{name}' parameter to {op}"),
  DATE_MOVE(
      "{op} expects an object as its argument",
      "Unrecognized argument to {op}: {name}. Expected arguments are startDate, unit, amount, and"
          + " optionally timezone.",
      "{op} requires startDate, unit, and amount to be present"),
  LOOP(
      "{op} only supports an object as its argument",
      "Unrecognized parameter to {op}: {name}",
      "Missing '{name}' parameter to {op}"),
  SPECIFIED(
      "{op} requires an object as an argument, found: {type}",
      "{op} found an unknown argument: {name}",
      "{op} requires '{name}' to be specified"),
  SET_FIELD(
      "{op} only supports an object as its argument",
      "{op} found an unknown argument: {name}",
      "{op} requires '{name}' to be specified"),
  TRIM(
      "{op} only supports an object as an argument, found {type}",
      "{op} found an unknown argument: {name}",
      "{op} requires an '{name}' field"),
  REGEX(
      "{op} expects an object of named arguments but found: {type}",
      "{op} found an unknown argument: {name}",
      "{op} requires '{name}' parameter"),
  CONVERT(
      "{op} expects an object of named arguments but found: {type}",
      "{op} found an unknown argument: {name}",
      "Missing '{name}' parameter to {op}"),
  SEVERAL(
      "specification must be an object; found {op}: {given}",
      "Unknown argument for 'n' operator: {name}",
      "Missing value for '{name}'"),
  TOP(
      "specification must be an object; found {op}: {given}",
      "Unknown argument to {op} '{name}'",
      "Missing value for '{name}'");

  private final String notAnObject;
  private final String unknown;
  private final String missing;

  ArgumentErrors(String notAnObject, String unknown, String missing) {
    this.notAnObject = notAnObject;
    this.unknown = unknown;
    this.missing = missing;
  }

  String notAnObject(String operator, Value found) {
    return notAnObject
        .replace("{op}", operator)
        .replace("{type}", TypeNames.of(found.type()))
        .replace("{given}", ShellText.of(found));
  }

  String unknown(String operator, String name) {
    return unknown.replace("{op}", operator).replace("{name}", name);
  }

  String missing(String operator, String name, Document given) {
    return missing
        .replace("{op}", operator)
        .replace("{name}", name)
        .replace("{given}", ShellText.of(given));
  }
}
