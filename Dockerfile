# First build server/target/mayfly.jar with `./mayfly version` or `mvn -Pprogram -pl server -am package`.
#   docker build -t mayfly .
#   docker run -p 27017:27017 -p 8081:8081 -e MAYFLY_COSMOS_KEY=... -v mayfly-data:/data mayfly
FROM eclipse-temurin:25-jre
COPY mayfly server/target/mayfly.jar /opt/mayfly/
RUN useradd --system mayfly && mkdir /data && chown mayfly /data
USER mayfly
VOLUME /data
EXPOSE 27017 8081
# All clients of a container are remote, so they must log in: add a user with `mayfly users add` first.
# MAYFLY_MEMORY limits the memory. Default: 1 GiB, or three quarters of a smaller container limit.
ENTRYPOINT ["/opt/mayfly/mayfly"]
CMD ["serve", "--data", "/data", "--bind", "0.0.0.0"]
