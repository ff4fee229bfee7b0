/**
 * Report for a bug: the command {@code doctor}.
 *
 * <p>Entry point: {@link dev.mayfly.cli.doctor.Doctor}. A report contains no documents and no
 * secrets: it is made of requests whose replies have none, and {@code Secrets} removes those that
 * this process knows, and what looks like one, from every line.
 */
@NullMarked
package dev.mayfly.cli.doctor;

import org.jspecify.annotations.NullMarked;
