/** A program that keeps its sessions in an embedded Mayfly. */
package com.example;
