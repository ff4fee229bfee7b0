package dev.mayfly.mongo.command;

/**
 * A request that is being answered, and the number by which it can be stopped.
 *
 * @param opid no other request of this server has had it for a long time
 */
public record RunningOperation(int opid, Request request) {}
