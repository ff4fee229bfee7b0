package dev.mayfly.mongo.command;

/**
 * A running request and its id for {@code killOp}.
 *
 * @param opid unique among running requests
 */
public record RunningOperation(int opid, Request request) {}
