package com.example;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that knows nothing of Mayfly. */
@SpringBootApplication
class Application {}
