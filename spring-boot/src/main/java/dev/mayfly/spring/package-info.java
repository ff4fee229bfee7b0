/**
 * Spring Boot starter for tests: starts a Mayfly server with the application, connects the
 * application to it, and provides its clock as a bean.
 *
 * <p>{@link dev.mayfly.spring.MayflyAutoConfiguration} lists the beans. Uses {@code
 * dev.mayfly.server}; nothing uses this package.
 */
@NullMarked
package dev.mayfly.spring;

import org.jspecify.annotations.NullMarked;
